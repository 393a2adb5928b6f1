import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The build is committed: names are fixed, nothing is inlined (the page's CSP allows only files of its
// own origin) and the same source gives the same bytes.
export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../server/static/app",
    emptyOutDir: true,
    sourcemap: false,
    license: { fileName: "licenses.md" },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ["chrome115", "firefox121", "safari17.2"],
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
  server: { proxy: { "/v1": "http://127.0.0.1:5190" } },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
