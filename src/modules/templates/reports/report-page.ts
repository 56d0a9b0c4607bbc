import { hash } from 'node:crypto';
import { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { GRAPH_STYLE } from '../../tasks/graph/graph.svg.js';
import { CHART_STYLE } from '../../tasks/progress/chart.svg.js';

/** The style of the page for phones, dark mode and print; loads no other resources. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --faint: #5f666d; --line: #d5d9de; --shade: #f3f5f7; --link: #0b5cad; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e9; --paper: #16181b; --faint: #a0a7af; --line: #3a4047; --shade: #22262b; --link: #7db7f2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
.table { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; min-width: 100%; font-size: .9375rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .375rem .625rem; border: 1px solid var(--line); text-align: start; vertical-align: top; min-width: 4rem; max-width: 24rem; }
th { background: var(--shade); font-weight: 600; }
th.right, td.right { text-align: end; }
th.center, td.center { text-align: center; }
pre, code { font: .875em/1.5 ui-monospace, monospace; background: var(--shade); border-radius: .25rem; }
code { padding: .1em .3em; }
pre { padding: .75rem; overflow-x: auto; }
pre code { padding: 0; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: .25rem solid var(--line); color: var(--faint); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem; margin: 1.5rem 0; }
.pictures svg { display: block; max-width: 100%; height: auto; }
figure { margin: 0; min-width: 0; break-inside: avoid; }
figure.wide { grid-column: 1 / -1; }
figcaption { font-weight: 600; margin-bottom: .5rem; }
.note { margin: .5rem 0 0; color: var(--faint); font-size: .875rem; }
.scroll { overflow-x: auto; }
.scroll svg.graph { max-width: none; }
.pictures svg.bar { width: 100%; height: 1.25rem; }
.pictures svg.swatch { flex: none; width: .75rem; height: .75rem; }
.legend, .bars { list-style: none; margin: .5rem 0 0; padding: 0; font-size: .875rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.legend li { display: flex; align-items: center; gap: .375rem; }
.bars li { display: grid; grid-template-columns: 1fr auto; gap: .125rem 1rem; margin-bottom: .75rem; break-inside: avoid; }
.bars svg { grid-column: 1 / -1; }
@media (max-width: 30rem) {
  .pictures .chart.part { font-size: 16px; }
  table { font-size: .8125rem; }
  th, td { padding: .25rem .4rem; min-width: 0; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #333; --line: #999; --shade: #eee; --link: #000; }
  main { max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; }
  tr, pre, blockquote { break-inside: avoid; }
  .table, .scroll { overflow: visible; }
  .scroll svg.graph { max-width: 100%; }
}
${CHART_STYLE}
${GRAPH_STYLE}
`;

/** Blocks scripts, requests and other styles, regardless of the content of the page. */
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${POLICY}; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox`,
};

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * A report as a self-contained page: one file without scripts or external resources, which contains its policy so that
 * it also applies to a saved page.
 */
export function reportPage({ title, lang, html }: { title: string; lang: string; html: string }): RawResponse {
  const page = `<!doctype html>
<html lang="${escapeHtml(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${html}</main>
</body>
</html>
`;
  return new RawResponse(page, HEADERS);
}
