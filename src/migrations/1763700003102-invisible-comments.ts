import type { MigrationInterface, QueryRunner } from 'typeorm';

const PER_STATEMENT = 500;

// The decision of the service when this migration was written.
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u;
const HTML_COMMENT = /<!--[^]*?(?:-->|$)/gu;
const BLANK_REFERENCE = /&(?:nbsp|ensp|emsp|thinsp|shy|zwj|zwnj|lrm|rlm|Tab|NewLine|ZeroWidthSpace|NoBreak);/gu;
const NUMERIC_REFERENCE = /&#(?:(\d{1,7})|[xX]([\da-fA-F]{1,6}));/gu;

const characterOf = (_: string, decimal: string | undefined, hexadecimal: string | undefined): string => {
  const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

const showsText = (text: string): boolean =>
  VISIBLE.test(text.replace(HTML_COMMENT, '').replace(BLANK_REFERENCE, '').replace(NUMERIC_REFERENCE, characterOf));

/**
 * Finds the comments on tasks that were made before it was stored whether a reader sees anything of them. Reads only those
 * that can show nothing: without a letter or digit, or with a comment or reference of HTML; writes only those that do.
 */
export class InvisibleComments1763700003102 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    let last = '';
    for (;;) {
      const comments = (await runner.query(
        `SELECT c.id, c.content FROM comments c WHERE c.id > $1 AND c.entity_type = 'task' AND c.shows_text
           AND c.deleted_at IS NULL AND (c.content !~ '[[:alnum:]]' OR c.content LIKE '%<!--%' OR c.content LIKE '%&%')
         ORDER BY c.id LIMIT ${PER_STATEMENT}`,
        [last],
      )) as { id: string; content: string }[];
      const invisible = comments.filter(({ content }) => !showsText(content)).map(({ id }) => id);
      if (invisible.length > 0) {
        await runner.query(`UPDATE comments SET shows_text = false WHERE id = ANY($1)`, [invisible]);
      }
      if (comments.length < PER_STATEMENT) return;
      last = comments[PER_STATEMENT - 1].id;
    }
  }

  async down(): Promise<void> {}
}
