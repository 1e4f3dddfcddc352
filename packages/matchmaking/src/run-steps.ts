/** Runs work that is done in steps to its end. */
export const runSteps = <T>(steps: Generator<undefined, T, undefined>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
