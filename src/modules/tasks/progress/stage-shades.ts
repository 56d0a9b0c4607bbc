/** The opacities of stages in a picture: those of one status share its color, and get paler from the first to the last. */
export function shadesOf(stages: readonly { status: string }[]): number[] {
  return stages.map(({ status }, n) => {
    const before = stages.slice(0, n).filter((other) => other.status === status).length;
    const all = stages.filter((other) => other.status === status).length;
    return Math.round((1 - (0.7 * before) / all) * 100) / 100;
  });
}
