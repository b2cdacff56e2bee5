// What an address holds: the model, the choices that lead to a state, where one
// looks.  A choice is a digit to the base 36, or -digits-; ~n~ repeats the one
// before n times more.

export interface Address {
  model?: string;
  choices?: number[];
  tab?: string;
}

export function packChoices(choices: number[]): string {
  let out = "";
  for (let i = 0; i < choices.length; ) {
    let n = 1;
    while (i + n < choices.length && choices[i + n] === choices[i]) n++;
    const one =
      choices[i] < 36 ? choices[i].toString(36) : `-${choices[i].toString(36)}-`;
    out += n > 4 ? `${one}~${(n - 1).toString(36)}~` : one.repeat(n);
    i += n;
  }
  return out;
}

export function unpackChoices(text: string): number[] | null {
  const out: number[] = [];
  const token = /([0-9a-z])|-([0-9a-z]+)-|~([0-9a-z]+)~/y;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) return null;
    if (found[3] !== undefined) {
      const n = parseInt(found[3], 36);
      if (!out.length || out.length + n > 1_000_000) return null;
      const last = out[out.length - 1];
      for (let i = 0; i < n; i++) out.push(last);
    } else out.push(parseInt(found[1] ?? found[2], 36));
  }
  return out;
}

export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const path = fields.get("p");
  return {
    model: fields.get("m") ?? undefined,
    choices: path === null ? undefined : (unpackChoices(path) ?? undefined),
    tab: fields.get("tab") ?? undefined,
  };
}

export function writeAddress(a: Address): string {
  const fields = new URLSearchParams();
  if (a.model) fields.set("m", a.model);
  if (a.choices?.length) fields.set("p", packChoices(a.choices));
  if (a.tab) fields.set("tab", a.tab);
  const all = fields.toString();
  return all ? "#" + all : "";
}
