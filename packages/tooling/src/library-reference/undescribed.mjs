import { ReflectionKind } from 'typedoc'

/** Kinds that have no comment of their own: a constructor takes the comment of its class, and a reference that of its target. */
const WITHOUT_TEXT = ReflectionKind.Constructor | ReflectionKind.Reference

const holdsText = (comment) => comment?.summary.some(({ text }) => text.trim() !== '') === true

/** Whether a name of the library has a comment. The comment of a function or of a getter belongs to its signature. */
function isDescribed({ comment, signatures = [], getSignature, type }) {
  const called = type?.type === 'reflection' ? (type.declaration.signatures ?? []) : []
  const places = [{ comment }, ...signatures, ...called, ...(getSignature ? [getSignature] : [])]
  return places.some((place) => holdsText(place.comment))
}

/** Returns the fields of the objects that a type spells out. Parameters and arguments of other types are not among them. */
function fieldsOf(type) {
  switch (type?.type) {
    case 'reflection':
      return type.declaration.children ?? []
    case 'array':
      return fieldsOf(type.elementType)
    case 'typeOperator':
      return fieldsOf(type.target)
    case 'indexedAccess':
      return fieldsOf(type.objectType)
    case 'mapped':
      return fieldsOf(type.templateType)
    case 'union':
    case 'intersection':
      return type.types.flatMap(fieldsOf)
    default:
      return []
  }
}

const isHidden = ({ flags }) => flags.isPrivate || flags.isProtected

function* within(reflection) {
  if (reflection.kindOf(WITHOUT_TEXT) || isHidden(reflection)) return
  if (!isDescribed(reflection)) yield reflection.getFullName()
  for (const inner of [...(reflection.children ?? []), ...fieldsOf(reflection.type)]) yield* within(inner)
}

/** Returns the names of a converted project that have no comment: exported names, and the members and fields of each of them. */
export const undescribed = (project) =>
  (project.children ?? []).flatMap((module) => (module.children ?? []).flatMap((exported) => [...within(exported)]))
