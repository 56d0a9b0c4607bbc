import { createHash } from 'node:crypto';

/**
 * The key of an imported comment after its deletion: a hash, because a key can contain parts of the text and the name of the
 * author. A later import recognizes the comment by it, and does not create it again.
 */
export const hashedKey = (key: string): string => `#${createHash('sha256').update(key).digest('base64')}`;
