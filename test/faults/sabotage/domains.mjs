const SPEC = 'test/areas/domains.spec.ts';

export const seeds = [
  {
    name: 'any verification record proves a domain',
    file: 'src/modules/domains/domain-records.ts',
    find: "parts.join('') === verificationRecordOf(token)",
    replace: "parts.join('').startsWith('worksmith-verification=')",
    caughtBy: SPEC,
    test: 'is proved by a record with exactly its name, and is represented completely',
  },
  {
    name: 'name servers that fail count as an absent record',
    file: 'src/modules/domains/domain-records.ts',
    find: "? 'absent' : 'unknown'",
    replace: "? 'absent' : 'absent'",
    caughtBy: SPEC,
    test: 'may be absent in between, and its name servers may be silent as long as they want',
  },
  {
    name: 'a domain that is no longer proved still links accounts',
    file: 'src/modules/identity-providers/identity-providers.repository.ts',
    find: "WHERE ${speaksFor('own')})",
    replace: ')',
    caughtBy: SPEC,
    test: 'makes and links no accounts once the domain is given up, but lets known people in',
  },
];
