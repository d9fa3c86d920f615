import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Three pages out of one folder; all their files are under /console/ and have their hash in their name. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [react()],
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A file that is written into the page as `data:` would be a script or style that the policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    manifest: true,
    rolldownOptions: { input: ["console/desk.html", "console/scan.html", "console/partner.html"] },
  },
  // `npx vite console` beside a running service.
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
});
