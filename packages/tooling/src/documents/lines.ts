/**
 * Returns the output lines of two players, sorted and with their ports replaced, because the order and the ports are
 * random.
 */
export const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/:\d+:/, ':…:'))
    .sort()
