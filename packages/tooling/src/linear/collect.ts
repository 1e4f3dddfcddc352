import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A regular expression that was found in the source code. */
export interface FoundPattern {
  readonly line: number
  /** The expression in the source text: `/…/flags`, or the call that creates the expression at run time. */
  readonly text: string
  /** The pattern and the flags; undefined when the expression is created at run time. */
  readonly pattern: { readonly source: string; readonly flags: string } | undefined
}

/** Yields the paths of the code files below a folder. */
export function* codeBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'dist') yield* codeBelow(path)
    } else if (/\.(?:m|c)?[jt]sx?$/.test(entry.name) && !/\.d\.m?ts$/.test(entry.name)) yield path
  }
}

/**
 * Matches files that may have a regular expression: a slash in the place of a value that starts no comment, or
 * `RegExp`. Most files have none, and parsing a file takes long.
 */
const MAY_HOLD_ONE = /(?:^|[(,=:[!&|?{};>+]|\b(?:return|typeof|case|of|in|await|yield))\s*\/(?![/*])|\bRegExp\b/m

/** Returns all regular expressions of a file. */
export function patternsIn(path: string): readonly FoundPattern[] {
  const source = readFileSync(path, 'utf8')
  if (!MAY_HOLD_ONE.test(source)) return []
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const found: FoundPattern[] = []
  visit(file)
  return found

  function visit(node: ts.Node): void {
    if (ts.isRegularExpressionLiteral(node) || makesPattern(node)) {
      const text = node.getText()
      const end = text.lastIndexOf('/')
      const pattern = ts.isRegularExpressionLiteral(node)
        ? { source: text.slice(1, end), flags: text.slice(end + 1) }
        : undefined
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text, pattern })
    }
    ts.forEachChild(node, visit)
  }
}

const makesPattern = (node: ts.Node): boolean =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
