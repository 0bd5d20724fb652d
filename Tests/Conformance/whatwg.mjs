// How the URL class of node, which follows the URL Standard, reads each URL of hostile_urls.tsv: whatwg.mjs > whatwg.tsv
// With a file of JSON strings, a line each, as its argument: prints those whose reading is not the plain one.
import { readFileSync } from "node:fs";

const usual = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21" };

function reading(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    return "refused";
  }
  if (url.hostname === "") return "refused";
  return `${url.protocol.slice(0, -1)} ${url.hostname} ${url.port || usual[url.protocol] || "-"}`;
}

function plain(text) {
  const [, scheme, host, port] = /^(https?):\/\/([^/?#]*?)(?::(\d+))?(?:[/?#]|$)/i.exec(text);
  const name = scheme.toLowerCase();
  return `${name} ${host.toLowerCase()} ${port ?? usual[name + ":"]}`;
}

const lines = (path) => readFileSync(path, "utf8").split("\n").filter((line) => line !== "");

if (process.argv.length > 2) {
  // A refusal connects to nowhere.
  const read = lines(process.argv[2]).map((line) => JSON.parse(line));
  const others = read.filter((text) => ![plain(text), "refused"].includes(reading(text)));
  others.forEach((text) => console.log(JSON.stringify(text), reading(text)));
  console.log(`whatwg: urls=${read.length} disagreements=${others.length}`);
  process.exitCode = others.length === 0 ? 0 : 1;
} else {
  const rows = lines(new URL("hostile_urls.tsv", import.meta.url)).slice(1).map((line) => line.split("\t")[1]);
  console.log(`url\tnode ${process.versions.node}`);
  [...new Set(rows)].forEach((url) => console.log(`${url}\t${reading(JSON.parse(url))}`));
}
