/** An element with attributes, listeners (`onclick`) and children; absent children are left out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** The text with parts between backticks as code, and between double asterisks as strong text. */
export function words(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return make('code', {}, part.slice(1, -1));
    return part.startsWith('**') ? make('strong', {}, part.slice(2, -2)) : part;
  });
}

/** A paragraph for each part of the text between empty lines. */
export const paragraphs = (text) => text.split('\n\n').map((part) => make('p', {}, words(part)));

/** A line that opens what `fill` makes, when it is opened for the first time. */
export function folded(summary, fill, attributes = {}) {
  const details = make('details', attributes, make('summary', {}, summary));
  const open = () => {
    if (!details.open || details.dataset.filled) return;
    details.dataset.filled = 'yes';
    details.append(...[fill()].flat());
  };
  details.addEventListener('toggle', open);
  return details;
}
