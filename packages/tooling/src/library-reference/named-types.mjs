import { Comment, Converter, UnionType } from 'typedoc'
import ts from 'typescript'

/** Whether a type is spelled by names alone, such as `Instant | null`, so that its conversion makes no further reflections. */
const isNamed = (node) =>
  ts.isTypeReferenceNode(node)
    ? (node.typeArguments ?? []).every(isNamed)
    : ts.isUnionTypeNode(node)
      ? node.types.every(isNamed)
      : ts.isArrayTypeNode(node)
        ? isNamed(node.elementType)
        : ts.isTypeOperatorNode(node)
          ? isNamed(node.type)
          : ts.isLiteralTypeNode(node) || ts.isToken(node)

/** Returns the type of an optional field without `undefined`, which the question mark of the field says already. */
function withoutUndefined(type) {
  if (type.type !== 'union') return type
  const types = type.types.filter((one) => one.type !== 'intrinsic' || one.name !== 'undefined')
  return types.length === 1 ? types[0] : new UnionType(types)
}

/**
 * Shows the type of a field as the source spells it. TypeDoc shows the resolved type otherwise: `number` for an `Instant`, and every word
 * of an enumeration. A transient symbol, such as a field of a mapped type, may have another type than its declaration; it is left alone.
 */
function nameType(context, reflection, symbol) {
  const node = symbol.valueDeclaration?.type
  if (reflection.type === undefined || node === undefined || !isNamed(node)) return
  if ((symbol.flags & ts.SymbolFlags.Transient) !== 0) return
  const named = context.converter.convertType(context.withScope(reflection), node)
  reflection.type = reflection.flags.isOptional ? withoutUndefined(named) : named
}

/** Keeps the comment of a getter in a class of which a mapped type, such as `Omit`, takes a part; TypeDoc loses this comment. */
function keepComment(context, reflection, symbol) {
  if (reflection.comment !== undefined || !symbol.declarations?.some(ts.isGetAccessor)) return
  const text = ts.displayPartsToString(symbol.getDocumentationComment(context.checker))
  if (text !== '') reflection.comment = new Comment([{ kind: 'text', text }])
}

/** Makes the pages of an application show names of types and comments of getters as an editor does. */
export function asInEditor(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const symbol = context.getSymbolFromReflection(reflection)
    if (symbol === undefined) return
    nameType(context, reflection, symbol)
    keepComment(context, reflection, symbol)
  })
}
