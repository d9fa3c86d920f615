/** The health check of the API's container: exits with 0 when the API in it answers. */
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/api/health`);
process.exit(ok ? 0 : 1);
