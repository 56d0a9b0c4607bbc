import { daysAfter, nextName } from './iteration.rules.js';

describe('the name of the next iteration', () => {
  it.each([
    [undefined, 'Iteration 1'],
    ['Sprint 12', 'Sprint 13'],
    ['Sprint 2026 9', 'Sprint 2026 10'],
    ['Spring', 'Spring 2'],
    ['Q3', 'Q3 2'],
  ])('after %s is %s', (last, next) => {
    expect(nextName(last)).toBe(next);
  });

  it('is not too long', () => {
    expect(nextName('x'.repeat(500))).toHaveLength(492);
  });
});

describe('days after a day', () => {
  it.each([
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-03-28', 2, '2026-03-30'],
    ['9999-12-30', 5, '9999-12-31'],
  ])('%s + %i are %s', (day, days, later) => {
    expect(daysAfter(day, days)).toBe(later);
  });
});
