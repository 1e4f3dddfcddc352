/** Generated pools per property: `MATCHYARD_PROVE` sets it, so that an ordinary run does a tenth of a proving one. */
export const rounds = Number(process.env.MATCHYARD_PROVE ?? 1000)

/** Milliseconds a property may take; a guard against hanging, not a measurement. */
export const PATIENCE = 60_000 + rounds * 200
