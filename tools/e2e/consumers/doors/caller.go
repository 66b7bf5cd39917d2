// Sends the calls of calls.tsv with net/http. A file that is missing is an empty body, which the server refuses.
package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	client := http.Client{Timeout: 20 * time.Second}
	table, _ := os.ReadFile("calls.tsv")
	for _, line := range strings.Split(strings.TrimRight(string(table), "\n"), "\n") {
		call := strings.Split(line, "\t")
		name, kind := call[0], call[3]
		content, _ := os.ReadFile(name + ".body")
		body := bytes.NewBuffer(content)
		if name == "upload" {
			sound, _ := os.ReadFile("sound.wav")
			body.Reset()
			form := multipart.NewWriter(body)
			part, _ := form.CreateFormFile("audio", "sound.wav")
			part.Write(sound)
			form.Close()
			kind = form.FormDataContentType()
		}
		request, _ := http.NewRequest(call[1], os.Getenv("SPEECH_BASE_URL")+call[2], body)
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SPEECH_API_KEY"))
		request.Header.Set("Content-Type", kind)
		request.Header.Set("model", "s2-pro")
		answer, err := client.Do(request)
		if err != nil {
			fmt.Println(name, "no answer:", err)
			continue
		}
		content, _ = io.ReadAll(answer.Body)
		os.WriteFile(name+".answer", content, 0o600)
		fmt.Println(name, answer.StatusCode)
	}
}
