/** Caches long statements, which are built on first use. Entries are never removed, so there must be few keys. */
export class StatementCache {
  private readonly texts = new Map<string, string>();

  getOrBuild(key: string, build: () => string): string {
    let text = this.texts.get(key);
    if (text === undefined) {
      text = build();
      this.texts.set(key, text);
    }
    return text;
  }
}
