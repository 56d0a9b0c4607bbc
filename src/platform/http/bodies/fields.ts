/** The field decorators of DTO classes, in one place to import them from. */
export { ExternalRefField, mergeExternalRef } from './fields/external-ref.js';
export { Email, Language, Link, TimeZone } from './fields/formats.js';
export { Id, Ids, ResourceRef, ResourceRefs } from './fields/links.js';
export { ListOf, SomeOf, StringList } from './fields/lists.js';
export { ObjectOf } from './fields/nested.js';
export { Password, Secret } from './fields/secrets.js';
export { Name, OneOf, Text, Keyword } from './fields/text.js';
export { Bool, DayField, Hours, Instant, JsonObject, jsonObjectErrors, DateOrDateTime, Int } from './fields/values.js';
