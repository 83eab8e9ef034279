// Fails when a colour is anywhere but in src/styles/tokens.css, or when the colours that the browser draws
// around the page (in index.html and the manifest) are not the paper of the page.

import { readdirSync, readFileSync } from "node:fs";

const TOKENS = "src/styles/tokens.css";
const NOTATIONS = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/gi;
// Words of CSS that are colours. In TypeScript most of them mean something else, above all "white" and "black".
const NAMES =
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
  burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan
  darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred
  darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue
  dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray
  green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen
  lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink
  lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen
  linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
  mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy
  oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip
  peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown
  seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal
  thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen`.split(/\s+/);
const NAMED = new RegExp(`(?<![-\\w])(?:${NAMES.join("|")})(?![-\\w])`, "gi");

const problems = [];
const read = (path) => readFileSync(path, "utf8");
const blank = (text) => text.replace(/[^\n]/g, " ");

/** The colours in a text, with their lines. */
function report(path, text, pattern) {
  for (const match of text.matchAll(pattern)) {
    const line = text.slice(0, match.index).split("\n").length;
    problems.push(`${path}:${line}: ${match[0]} belongs in ${TOKENS}`);
  }
}

for (const name of readdirSync("src", { recursive: true })) {
  const path = `src/${name.replaceAll("\\", "/")}`;
  if (path === TOKENS || !/\.(css|ts)$/.test(path)) continue;
  const text = read(path).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, blank);
  if (path.endsWith(".css")) {
    // Only values: text before a brace is a selector, and addresses are no colours.
    const values = text.replace(/[^{};]*\{|[\w-]+\s*:|url\([^)]*\)|"[^"]*"/g, blank);
    report(path, values, NOTATIONS);
    report(path, values, NAMED);
  } else {
    // Private members look like hexadecimal numbers; colours are in strings.
    for (const match of text.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g)) {
      report(
        path,
        blank(text.slice(0, match.index)) + match[0],
        /(?<!\.)#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?)\(/gi,
      );
    }
  }
}

const paper = [...read(TOKENS).matchAll(/--paper: (#\w+);/g)].map(([, colour]) => colour);
const drawn = [...read("index.html").matchAll(/name="theme-color" content="(#\w+)"/g)].map(
  ([, colour]) => colour,
);
if (paper.length !== 2 || drawn.join() !== paper.join())
  problems.push(`index.html: theme-color is ${drawn.join(" and ")}, --paper is ${paper.join(" and ")}`);
const manifest = JSON.parse(read("public/manifest.webmanifest"));
for (const key of ["background_color", "theme_color"])
  if (manifest[key] !== paper[0]) problems.push(`public/manifest.webmanifest: ${key} is not ${paper[0]}`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
