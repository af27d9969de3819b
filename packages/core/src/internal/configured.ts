/** A layer whose options are read from Effect's `Config`. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What is not a `Config` is passed on, as the layer says what is wrong with it. */
export const configured = <Options, A, E, R>(
  options: Config.Wrap<Options>,
  layer: (options: Options) => Layer.Layer<A, E, R>,
): Layer.Layer<A, E | Config.ConfigError, R> =>
  Layer.unwrap(Effect.map(valueOf(options) as Config.Config<Options>, (read) => layer(read)))

const valueOf = (wrapped: unknown): Config.Config<unknown> => {
  if (Config.isConfig(wrapped)) return wrapped
  if (typeof wrapped !== "object" || wrapped === null || Array.isArray(wrapped)) return Config.succeed(wrapped)
  return Config.all(Object.fromEntries(Object.entries(wrapped).map(([name, value]) => [name, valueOf(value)])))
}
