/**
 * Returns the sorted output lines of two players with their ports replaced, because the order and the ports are random.
 */
export const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/:\d+:/, ':…:'))
    .sort()
