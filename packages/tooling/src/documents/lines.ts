/** Returns the lines of two players in a fixed form: their order and their ports are random. */
export const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/:\d+:/, ':…:'))
    .sort()
