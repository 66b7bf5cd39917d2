package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SPEECH_API_KEY"))
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("SPEECH_BASE_URL"), WithRequestEditorFn(key)))
	here := context.Background()
	var request SynthesisRequest
	must(0, request.FromSingleSpeakerRequest(SingleSpeakerRequest{Text: "Good morning."}))

	switch os.Args[1] {
	case "json":
		voices := must(client.ListModelsWithResponse(here, &ListModelsParams{}))
		fmt.Println(voices.JSON200.Total)
	case "audio":
		speech := must(client.CreateSpeechWithResponse(here, &CreateSpeechParams{Model: "s2-pro"}, request))
		must(0, os.WriteFile("speech.mp3", speech.Body, 0o644))
	case "stream":
		// The method with "WithResponse" reads the whole answer; this one gives the lines as they arrive.
		params := &StreamSpeechWithTimestampsParams{Model: "s2-pro"}
		answer := must(client.StreamSpeechWithTimestamps(here, params, request))
		defer answer.Body.Close()
		file := must(os.Create("speech.mp3"))
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			if data, found := strings.CutPrefix(lines.Text(), "data:"); found {
				var event SpeechStreamEvent
				must(0, json.Unmarshal([]byte(data), &event))
				must(file.Write(event.AudioBase64))
			}
		}
		must(0, lines.Err())
	}
}
