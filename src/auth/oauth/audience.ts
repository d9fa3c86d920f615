/** Where agents ask (docs/agents.md), for which alone tokens of OAuth are. */
export const MCP_PATH = "/mcp";
