/** Folds the documented failures of an operation, of which there are ten and more, to one line each. */
export const FailuresPlugin = () => ({
  wrapComponents: {
    response:
      (Original, { React }) =>
      (props) => {
        const row = React.createElement(Original, props);
        if (!/^[45]/.test(props.code)) return row;
        const table = React.createElement('table', null, React.createElement('tbody', null, row));
        const line = `${props.code} ${props.response.get('description', '')}`;
        const folded = React.createElement('details', null, React.createElement('summary', null, line), table);
        return React.createElement('tr', { className: 'failure' }, React.createElement('td', { colSpan: 3 }, folded));
      },
  },
});
