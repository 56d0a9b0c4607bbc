import { filterOperations } from './operation-filter.js';

/** Swagger UI keeps `true` if filtering is enabled and nothing has been typed yet. */
const typed = (filter) => (typeof filter === 'string' ? filter : '');

const count = (taggedOperations) => taggedOperations.reduce((sum, area) => sum + area.get('operations').size, 0);

/** Filters operations by all their words, opens the tags with matches, and shows the number of matches. */
export const FilterPlugin = () => ({
  fn: { opsFilter: filterOperations },
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown: (original) => (state, path, fallback) =>
          (path[0] === 'operations-tag' && typed(state.get('filter')).trim() !== '') || original(path, fallback),
      },
    },
  },
  wrapComponents: {
    FilterContainer:
      (_original, { React }) =>
      ({ specSelectors, layoutSelectors, layoutActions }) => {
        const phrase = typed(layoutSelectors.currentFilter());
        const found = count(specSelectors.taggedOperations());
        return React.createElement(
          'div',
          { className: 'filter' },
          React.createElement('input', {
            type: 'search',
            value: phrase,
            placeholder: 'Filter by path or words',
            'aria-label': 'Filter operations',
            onChange: (event) => layoutActions.updateFilter(event.target.value),
          }),
          React.createElement('output', null, found === 1 ? '1 operation' : `${found} operations`),
        );
      },
    operations:
      (Original, { React }) =>
      (props) =>
        count(props.specSelectors.taggedOperations()) === 0
          ? React.createElement('p', { className: 'notice' }, 'No operation contains all these words.')
          : React.createElement(Original, props),
  },
});
