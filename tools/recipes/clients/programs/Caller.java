import com.google.gson.Gson;
import java.io.*;
import java.nio.file.*;
import java.util.Base64;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Caller {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("SPEECH_BASE_URL"));
    client.setBearerToken(System.getenv("SPEECH_API_KEY"));
    SpeechApi speech = new SpeechApi(client);
    SynthesisRequest request = new SynthesisRequest();
    request.setActualInstance(new SingleSpeakerRequest().text("Good morning."));

    switch (arguments[0]) {
      case "json" -> {
        VoiceModelList voices = new VoiceModelsApi(client).listModels(10, 1, null, null, null, null, null, null, null, null);
        System.out.println(voices.getTotal());
      }
      case "audio" -> {
        File audio = speech.createSpeech("s2-pro", request, null);
        Files.copy(audio.toPath(), Path.of("speech.mp3"), StandardCopyOption.REPLACE_EXISTING);
      }
      case "stream" -> {
        // The generated method reads the whole answer as one event; its call gives the lines as they arrive.
        try (var answer = speech.streamSpeechWithTimestampsCall("s2-pro", request, null, null).execute();
            OutputStream audio = new FileOutputStream("speech.mp3")) {
          if (!answer.isSuccessful()) throw new IOException("The service answers " + answer.code());
          String line;
          while ((line = answer.body().source().readUtf8Line()) != null) {
            if (!line.startsWith("data:")) continue;
            SpeechStreamEvent event = new Gson().fromJson(line.substring(5), SpeechStreamEvent.class);
            audio.write(Base64.getDecoder().decode(event.getAudioBase64()));
          }
        }
      }
    }
  }
}
