import { referencesTo } from './work-references.view.js';

describe('what refers to a task', () => {
  it('is read by a function where there is anything, so that no plan has a query for it', () => {
    expect(referencesTo('t')).toMatch(
      /^CASE WHEN t\.has_references THEN references_of\(t\.id, :me\) ELSE '.*'::json END$/,
    );
    expect(referencesTo('t')).not.toMatch(/SELECT/i);
  });
});
