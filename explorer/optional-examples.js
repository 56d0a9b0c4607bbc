/**
 * Takes the examples away from optional parameters, in place, and puts them into the description. Swagger UI would
 * send them: an Idempotency-Key twice, an If-Match that does not hold.
 */
export function describeOptionalExamples(document) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const declared = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...declared, ...Object.values(document.components?.parameters ?? {})]) {
    if (parameter.required !== true && parameter.schema !== undefined) describe(parameter);
  }
  return document;
}

function describe(parameter) {
  const { schema } = parameter;
  const example = parameter.example ?? schema.example ?? schema.examples?.[0];
  for (const holder of [parameter, schema]) {
    delete holder.example;
    delete holder.examples;
  }
  if (example === undefined || typeof example === 'object') return;
  parameter.description = `${parameter.description ?? ''} Example: \`${example}\``.trim();
}

export const OptionalExamplesPlugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (document) => original(describeOptionalExamples(document)),
      },
    },
  },
});
