import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];
type PathItem = Paths[string];

/**
 * Sorts paths by the order of the tags; within a tag, operations without a token come first, then the tag's main
 * collection: sign-up and sign-in before sessions, and these before invitations.
 */
export function orderPaths(paths: Paths, tags: string[]): Paths {
  const rank = ([path, item]: [string, PathItem]): number => {
    const operation = item.get ?? item.post ?? item.put ?? item.patch ?? item.delete;
    const tag = operation?.tags?.[0] ?? '';
    const isOwn = `${path}/`.startsWith(`/api/v1/${tag.toLowerCase()}/`);
    const group = (operation?.security ?? []).length === 0 ? 0 : 2 - Number(isOwn);
    return tags.indexOf(tag) * 3 + group;
  };
  // The sort is stable, so paths of the same rank keep their order.
  return Object.fromEntries(Object.entries(paths).sort((a, b) => rank(a) - rank(b)));
}
