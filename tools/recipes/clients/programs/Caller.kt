import java.io.File
import java.util.Base64
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.MediaType.Companion.toMediaType
import org.openapitools.client.apis.SpeechApi
import org.openapitools.client.apis.VoiceModelsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.SingleSpeakerRequest
import org.openapitools.client.models.SpeechStreamEvent

fun main(arguments: Array<String>) {
    val address = System.getenv("SPEECH_BASE_URL")
    val key = System.getenv("SPEECH_API_KEY")
    ApiClient.accessToken = key
    // The generated client would send the defaults of the bit rates as strings, which are refused.
    val request = SingleSpeakerRequest(text = "Good morning.", mp3Bitrate = null, opusBitrate = null)

    when (arguments[0]) {
        "json" -> println(VoiceModelsApi(address).listModels().total)
        "audio" -> SpeechApi(address).createSpeech("s2-pro", request).copyTo(File("speech.mp3"), overwrite = true)
        "stream" -> {
            // The generated method reads the whole answer as one event, so OkHttp reads the lines as they arrive.
            val body = Serializer.gson.toJson(request)
            val call = Request.Builder()
                .url("$address/v1/tts/stream/with-timestamp")
                .header("Authorization", "Bearer $key")
                .header("model", "s2-pro")
                .post(body.toRequestBody("application/json".toMediaType()))
                .build()
            File("speech.mp3").outputStream().use { audio ->
                OkHttpClient().newCall(call).execute().use { answer ->
                    check(answer.isSuccessful) { "The service answers ${answer.code}" }
                    val lines = generateSequence { answer.body.source().readUtf8Line() }
                    for (line in lines.filter { it.startsWith("data:") }) {
                        val event = Serializer.gson.fromJson(line.substring(5), SpeechStreamEvent::class.java)
                        audio.write(Base64.getDecoder().decode(event.audioBase64))
                    }
                }
            }
        }
    }
}
