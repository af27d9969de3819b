import type { Workbench } from "@dotrpc/vscode-host"

/** Waits until a line beside a call is like this. */
export const beside = async (workbench: Workbench, expected: RegExp): Promise<void> =>
  workbench.until(`a line beside a call is like ${expected}`, async () =>
    (await workbench.decorationTexts()).some((text) => expected.test(text)),
  )
