/** What two players print: which of them is welcomed first is chance, and so are ports. */
export const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/:\d+:/, ':…:'))
    .sort()
