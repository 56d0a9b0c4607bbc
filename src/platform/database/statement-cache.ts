/** Caches long statements, which are built on first use. There must be few keys. */
export class StatementCache {
  private readonly texts = new Map<string, string>();

  getOrBuild(key: string, make: () => string): string {
    let text = this.texts.get(key);
    if (text === undefined) {
      text = make();
      this.texts.set(key, text);
    }
    return text;
  }
}
