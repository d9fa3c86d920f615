import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { t } from "../../texts/desk.js";

/** Asks a passkey. Why it did not sign is for the browser to show. */
export function PasskeyButton({ options, show }: { options: object; show: (signed: object) => void }) {
  const ask = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import("@simplewebauthn/browser");
      return startAuthentication({ optionsJSON: options as never });
    },
    onSuccess: show,
  });
  return (
    <>
      <Button onClick={() => ask.mutate()} loading={ask.isPending}>
        {t("withPasskey")}
      </Button>
      {ask.isError && (
        <Text role="alert" size="sm">
          {t("passkeyFailed")}
        </Text>
      )}
    </>
  );
}
