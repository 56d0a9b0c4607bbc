/** Exceptions from the SQL rules (sql-placement.mjs). Both lists may only shrink: an unused entry fails the check. */

/** Files whose statements are not in a repository, view or list yet. */
export const unmoved = [];

/** By feature, the tables of other features that its statements name. */
export const foreignTables = {};
