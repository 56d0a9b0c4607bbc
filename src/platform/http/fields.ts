/** The field decorators of DTO classes, in one place to import them from. */
export { Email, Language, Link, Zone } from './fields/formats.js';
export { Id, Ids, ResourceRef, ResourceRefs } from './fields/links.js';
export { ListOf, SomeOf, Words } from './fields/lists.js';
export { Password, Secret } from './fields/secrets.js';
export { Name, OneOf, Text, Word } from './fields/text.js';
export { Flag, Hours, Instant, JsonObject, jsonObjectFaults, When, Whole } from './fields/values.js';
