/** Number of generated pools per property. `MATCHYARD_PROVE` sets it for proving runs; an ordinary run does a tenth of these. */
export const rounds = Number(process.env.MATCHYARD_PROVE ?? 1000)

/** Milliseconds that a property may take; a guard against endless loops, not a measurement. */
export const PATIENCE = 60_000 + rounds * 200
