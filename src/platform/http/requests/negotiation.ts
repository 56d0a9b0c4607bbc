/** The parsed value of a header such as `Accept`: each range with its q-value, 1 by default. */
type Qualities = Map<string, number>;

const MAX_RANGES = 100;

function qualitiesOf(header: string): Qualities {
  const qualities: Qualities = new Map();
  for (const item of header.split(',', MAX_RANGES)) {
    const [range, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (range !== '') qualities.set(range, qualityIn(parameters));
  }
  return qualities;
}

function qualityIn(parameters: readonly string[]): number {
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return quality >= 0 && quality <= 1 ? quality : 1;
}

/** The q-value of a media type: that of the most specific matching range, 0 if none matches. */
function qualityOfType(type: string, accepted: Qualities): number {
  return accepted.get(type) ?? accepted.get(`${type.split('/')[0]}/*`) ?? accepted.get('*/*') ?? 0;
}

/** Whether the client prefers the media type `special` to `usual`, which wins a tie. */
export function prefersType(accept: string | undefined, special: string, usual: string): boolean {
  // Most requests name neither.
  if (accept?.toLowerCase().includes(special) !== true) return false;
  const accepted = qualitiesOf(accept);
  return qualityOfType(special, accepted) > qualityOfType(usual, accepted);
}

/** The accepted content coding with the highest q-value; undefined if none is accepted. */
export function preferredCoding<C extends string>(
  acceptEncoding: string | undefined,
  offered: readonly C[],
): C | undefined {
  if (acceptEncoding === undefined) return undefined;
  const accepted = qualitiesOf(acceptEncoding);
  const qualityOf = (coding: string): number => accepted.get(coding) ?? accepted.get('*') ?? 0;
  let best: C | undefined;
  let bestQuality = accepted.get('identity') ?? 0;
  for (const coding of offered) {
    const quality = qualityOf(coding);
    if (quality > bestQuality || (best === undefined && quality > 0 && quality === bestQuality)) {
      best = coding;
      bestQuality = quality;
    }
  }
  return best;
}
