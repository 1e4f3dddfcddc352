import type { Profiler } from 'node:inspector'
import type { SourceMap } from 'node:module'
import ts from 'typescript'

/** A part of a script, and whether it ran; a range inside it overrides this for its own part. */
interface Range {
  readonly from: number
  readonly to: number
  readonly ran: boolean
}

/**
 * Returns the lines of a source with code that ran, from the coverage of the compiled script. Comments, types and empty
 * lines are not in the script, so they do not count.
 */
export function linesThatRan(script: string, coverage: readonly Profiler.FunctionCoverage[], map: SourceMap): number[] {
  const ran = ranIn(script, coverage)
  const lines = new Set<number>()
  let offset = 0
  for (const [row, text] of script.split('\n').entries()) {
    for (let column = 0; column <= text.length; column++, offset++) {
      if (ran[offset] !== true) continue
      const entry = map.findEntry(row, column)
      if (!('originalLine' in entry)) continue
      if (entry.generatedLine === row && entry.generatedColumn === column) lines.add(entry.originalLine + 1)
    }
  }
  return [...lines].sort((a, b) => a - b)
}

/** Returns for each character of a script whether it ran. */
function ranIn(script: string, coverage: readonly Profiler.FunctionCoverage[]): readonly boolean[] {
  const counted = coverage.flatMap(({ ranges }) =>
    ranges.map(({ startOffset, endOffset, count }) => ({ from: startOffset, to: endOffset, ran: count > 0 })),
  )
  return painted(script, [...counted, ...unreached(script, painted(script, counted))])
}

/** Returns for each character the value of the innermost range that contains it; false without a range. */
function painted({ length }: string, ranges: readonly Range[]): readonly boolean[] {
  const ran: boolean[] = new Array(length).fill(false)
  const outermostFirst = [...ranges].sort((a, b) => a.from - b.from || b.to - a.to)
  for (const range of outermostFirst) ran.fill(range.ran, range.from, range.to)
  return ran
}

/**
 * Returns the ranges of unreachable code: from a statement that did not run after one that did, to the end of their
 * block. V8 ends the range after a `return` at the next condition, and counts the code after it as if it had run.
 */
function unreached(script: string, ran: readonly boolean[]): Range[] {
  const tree = ts.createSourceFile('script.js', script, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS)
  const found: Range[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node)) {
      const starts = node.statements
        .filter((statement) => !ts.isFunctionDeclaration(statement))
        .map((statement) => statement.getStart(tree))
      const from = starts.find((start, index) => index > 0 && ran[starts[index - 1] ?? 0] && !ran[start])
      if (from !== undefined) found.push({ from, to: node.statements.end, ran: false })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
