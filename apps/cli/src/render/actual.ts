/** The actual value of a comparison that failed, in words. */
import type { CheckReport } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"

/** `actual 0x5`, or `actual 0.000000005 gwei, 0x5` where it is compared with an amount. */
export const showActual = ({ actualAmount }: Pick<CheckReport, "actualAmount">, value: string): string =>
  actualAmount === undefined ? `actual ${value}` : `actual ${Visible.line(actualAmount)}, ${value}`
