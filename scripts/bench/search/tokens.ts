/** The run time's estimate of tokens beside the count of a real tokenizer, which is too big to load at run time. */
import { declarationText, tokenCounter } from "../../../runtime/inventory/tokens.ts";
import type { LabelledSet } from "./sets.ts";

export async function tokensTable(sets: LabelledSet[]): Promise<Record<string, string>[]> {
  const count = await tokenCounter();
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return sets.map(({ name, tools }) => {
    const estimate = count(tools);
    const real = tools.reduce((sum, tool) => sum + countTokens(declarationText(tool)), 0);
    return {
      tools: name,
      declarations: String(tools.length),
      "estimate (tokenx)": estimate.toLocaleString("en"),
      "o200k (gpt-tokenizer)": real.toLocaleString("en"),
      difference: `${estimate >= real ? "+" : ""}${((estimate / real - 1) * 100).toFixed(1)} %`,
    };
  });
}
