export {
  type AnswerCodec,
  type AnyAnswer,
  type AnyBody,
  type BodyCodec,
  dateTime,
  instant,
  listOf,
  longListOf,
  nullable,
  orNull,
  plain,
  rowOf,
  type SentBy,
  type ToldBy,
} from './codec'
export { COMPONENTS, component, described, noted } from './described'
export { defaulted, given, optional, required, told, withDefaults } from './fields'
export { answerOf, bodyOf, extensionOf, mirrorOf, queryOf } from './object'
export { eitherOf, type PathNames, paramNames, wirePath } from './path-names'
export { unionOf } from './union'
export { NAMES_OF } from './wire-names'
