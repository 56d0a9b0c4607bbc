/** True, false, or undefined where the specification leaves both open. */
export type Truth = boolean | undefined;

export const and = (...all: Truth[]): Truth => {
  if (all.includes(false)) return false;
  return all.includes(undefined) ? undefined : true;
};

export const or = (...all: Truth[]): Truth => {
  if (all.includes(true)) return true;
  return all.includes(undefined) ? undefined : false;
};

export const not = (one: Truth): Truth => (one === undefined ? undefined : !one);

/** True or false where both agree. */
export const both = (one: Truth, other: Truth): Truth => (one === other ? one : undefined);

/** Whether at least that many are true. */
export const atLeast = (count: number, all: readonly Truth[]): Truth => {
  if (all.filter((each) => each === true).length >= count) return true;
  return all.filter((each) => each !== false).length >= count ? undefined : false;
};
