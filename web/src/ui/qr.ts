import { svg } from "./dom";

/** Phones want a margin of four modules around the code. */
const BORDER = 4;

/** A text as a QR code. */
export async function qrCode(text: string): Promise<SVGSVGElement> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
  return svg(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" },
    svg("path", { d: dark.join("") }),
  );
}
