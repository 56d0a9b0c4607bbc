const nameIn = (segment: string): string | undefined => (segment.startsWith(':') ? segment.slice(1) : undefined);

/** The path of a route, such as `/api/v1/tasks/:id`. */
export class RoutePath {
  private readonly segments = this.pattern.split('/');
  /** The names of its parameters. */
  readonly parameters = this.segments.flatMap((segment) => nameIn(segment) ?? []);

  constructor(readonly pattern: string) {}

  /** Whether requests with this path, without a query, can be for the route. */
  matches(path: string): boolean {
    const sent = path.split('/');
    return (
      sent.length === this.segments.length &&
      this.segments.every((segment, at) => (nameIn(segment) === undefined ? segment === sent[at] : sent[at] !== ''))
    );
  }

  /** The path with these values; undefined if one is missing. */
  filled(values: object): string | undefined {
    const known = new Map<string, unknown>(Object.entries(values));
    const isComplete = this.parameters.every((name) => typeof known.get(name) === 'string' && known.get(name) !== '');
    return isComplete ? this.written((name) => encodeURIComponent(String(known.get(name)))) : undefined;
  }

  /** As OpenAPI writes it: `/api/v1/tasks/{id}`. */
  get template(): string {
    return this.written((name) => `{${name}}`);
  }

  private written(parameter: (name: string) => string): string {
    const write = (segment: string): string => {
      const name = nameIn(segment);
      return name === undefined ? segment : parameter(name);
    };
    return this.segments.map(write).join('/');
  }
}
