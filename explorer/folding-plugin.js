/** Renders a description, with text between backticks as code. */
const words = (text, { createElement }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : createElement('code', { key: at }, part)));

/**
 * Collapses what readers rarely need to one line each: the documented errors of an operation, often more than ten, and
 * the response headers.
 */
export const FoldingPlugin = () => ({
  wrapComponents: {
    response:
      (Original, { React }) =>
      (props) => {
        const row = React.createElement(Original, props);
        if (!/^[45]/.test(props.code)) return row;
        const table = React.createElement('table', null, React.createElement('tbody', null, row));
        const line = words(`${props.code} ${props.response.get('description', '')}`, React);
        const folded = React.createElement('details', null, React.createElement('summary', null, line), table);
        return React.createElement('tr', { className: 'failure' }, React.createElement('td', { colSpan: 3 }, folded));
      },
    headers:
      (Original, { React }) =>
      (props) => {
        const { size = 0 } = props.headers ?? {};
        if (size === 0) return null;
        const summary = React.createElement('summary', null, `Headers (${size})`);
        return React.createElement('details', { className: 'headers' }, summary, React.createElement(Original, props));
      },
  },
});
