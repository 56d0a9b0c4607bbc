/** Whether the text contains every word of the phrase, in any order and case. */
export function matches(text, phrase) {
  const lowered = text.toLowerCase();
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowered.includes(word));
}

/** Swagger UI's own filter compares names of tags only. Takes and returns its Immutable map of tags. */
export function filterOperations(taggedOperations, phrase) {
  return taggedOperations
    .map((area, tag) =>
      area.update('operations', (entries) => entries.filter((entry) => matches(textOf(entry, tag), phrase))),
    )
    .filter((area) => area.get('operations').size > 0);
}

function textOf(entry, tag) {
  const described = ['operationId', 'summary', 'description'].map((name) => entry.getIn(['operation', name], ''));
  return [tag, entry.get('method'), entry.get('path'), ...described].join('\n');
}
