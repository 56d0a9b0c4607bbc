import type { Filter, ListDefinition } from '../../../platform/listing/definition.js';
import { taskCounts } from '../task.list.js';
import { GRAPH_FORMATS, type GraphFormat } from './graph.formats.js';

const format: Filter = {
  schema: { type: 'string', enum: [...GRAPH_FORMATS], default: 'json' },
  description: 'The format of the response: JSON, Mermaid, Graphviz (dot) or an SVG image.',
  parse: (raw) =>
    GRAPH_FORMATS.includes(raw as GraphFormat)
      ? { value: raw }
      : { code: 'invalid_value', message: `Possible values: ${GRAPH_FORMATS.join(', ')}.`, allowed: GRAPH_FORMATS },
};

const { endeavour_id: _, ...filters } = taskCounts.filters;

/** Filters and formats of graphs. The path names the endeavour, so whether it is archived is no filter. */
export const graphList: ListDefinition = { ...taskCounts, filters: { ...filters, format }, isArchived: undefined };
