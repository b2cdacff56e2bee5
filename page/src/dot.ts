// Drawings of the library, which are written for Graphviz, read again.

export interface DotNode {
  id: string;
  part: string; // of a net: the name of the module; "": it has no parts
  attributes: Map<string, string>;
}
export interface DotEdge {
  from: string;
  to: string;
  attributes: Map<string, string>;
}
export interface Dot {
  name: string;
  nodes: Map<string, DotNode>;
  edges: DotEdge[];
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const one = /(\w+)=(?:"((?:\\.|[^"\\])*)"|([^\s,\]]+))/g;
  for (const m of text.matchAll(one))
    found.set(
      m[1],
      m[2] === undefined
        ? m[3]
        : m[2].replace(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c)),
    );
  return found;
}

export function readDot(text: string): Dot {
  const dot: Dot = { name: "", nodes: new Map(), edges: [] };
  const statement =
    /^\s*(?:digraph (\w+)|(\w+) -> (\w+)(?: (\[.*\]))?;|(\w+) (\[.*\]);)/;
  let part = "";
  for (const line of text.split("\n")) {
    if (/^\s*subgraph /.test(line)) part = "?";
    else if (part === "?" && /^\s*label=/.test(line)) part = attributesOf(line).get("label") ?? "";
    else if (/^\s*}/.test(line)) part = "";
    const m = statement.exec(line);
    if (!m) continue;
    if (m[1]) dot.name = m[1];
    else if (m[2])
      dot.edges.push({ from: m[2], to: m[3], attributes: attributesOf(m[4] ?? "") });
    else if (!["node", "edge", "graph"].includes(m[5]))
      dot.nodes.set(m[5], { id: m[5], part, attributes: attributesOf(m[6]) });
  }
  return dot;
}
