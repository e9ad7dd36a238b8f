// A language server of YAML, as an editor talks to it: JSON-RPC over its input and output.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { SVC_TOOLS: tools, SVC_SCHEMAS: schemas } = process.env;
const PROGRAM = join(tools, "node_modules", "yaml-language-server", "bin", "yaml-language-server");

export class Server {
  #process = spawn(process.execPath, [PROGRAM, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  #input = Buffer.alloc(0);
  #asked = new Map();
  #checked = new Map();
  #settings;
  #last = 0;

  /// Starts it with the schemas of these names, each for the documents of a folder of that name.
  static async start(names) {
    const server = new Server();
    const file = (name) => pathToFileURL(join(schemas, `${name}.schema.json`)).href;
    const yaml = {
      schemas: Object.fromEntries(names.map((name) => [file(name), `/${name}/*.yml`])),
      schemaStore: { enable: false },
      validate: true,
      hover: true,
      completion: true,
    };
    server.#settings = { yaml };
    server.#process.stdout.on("data", (data) => server.#read(data));
    const markdown = ["markdown"];
    const textDocument = { hover: { contentFormat: markdown }, completion: { completionItem: { documentationFormat: markdown } } };
    await server.#ask("initialize", { processId: process.pid, rootUri: null, capabilities: { textDocument, workspace: { configuration: true } } });
    server.#tell("initialized", {});
    server.#tell("workspace/didChangeConfiguration", { settings: server.#settings });
    return server;
  }

  /// What it says of a document at the place of the `|` in it: the text on hovering, the labels of completions, what is wrong.
  async look(name, text) {
    const before = text.slice(0, text.indexOf("|")).split("\n");
    const position = { line: before.length - 1, character: before.at(-1).length };
    const uri = `file:///${name}/${++this.#last}.yml`;
    const checked = new Promise((done) => this.#checked.set(uri, done));
    this.#tell("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text: text.replace("|", "") } });
    const problems = (await checked).map((problem) => problem.message);
    const at = { textDocument: { uri }, position };
    const hover = (await this.#ask("textDocument/hover", at))?.contents;
    const completed = await this.#ask("textDocument/completion", at);
    const offered = (completed?.items ?? completed ?? []).map((item) => item.label);
    return { shown: hover?.value ?? hover ?? "", offered, problems };
  }

  stop() {
    this.#process.kill();
  }

  #read(data) {
    this.#input = Buffer.concat([this.#input, data]);
    for (;;) {
      const end = this.#input.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#input.subarray(0, end))[1]);
      if (this.#input.length < end + 4 + length) return;
      const message = JSON.parse(this.#input.subarray(end + 4, end + 4 + length));
      this.#input = this.#input.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take({ id, method, params, result, error }) {
    if (method === "textDocument/publishDiagnostics") {
      this.#checked.get(params.uri)?.(params.diagnostics);
    } else if (method && id !== undefined) {
      const answer = method === "workspace/configuration" ? params.items.map(({ section }) => this.#settings[section] ?? null) : null;
      this.#send({ id, result: answer });
    } else if (id !== undefined) {
      const [done, failed] = this.#asked.get(id);
      error ? failed(new Error(error.message)) : done(result);
    }
  }

  #ask(method, params) {
    const id = this.#asked.size + 1;
    return new Promise((done, failed) => {
      this.#asked.set(id, [done, failed]);
      this.#send({ id, method, params });
    });
  }

  #tell(method, params) {
    this.#send({ method, params });
  }

  #send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
}
